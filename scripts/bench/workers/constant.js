import body from "./body.txt";

const headers = { "content-type": "application/json; charset=utf-8" };

export default {
  fetch() {
    return new Response(body, { headers });
  },
};
