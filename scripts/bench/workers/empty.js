export default {
  fetch() {
    return new Response(null);
  },
};
