export default {
  fetch(_request, { UPSTREAM_URL, UPSTREAM_KEY }) {
    return fetch(UPSTREAM_URL, { headers: { "x-api-key": UPSTREAM_KEY } });
  },
};
