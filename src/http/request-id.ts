/** The header that carries a request's id, in both directions. */
export const REQUEST_ID_HEADER = "X-Request-ID";

/** The caller's own id where it is a sane one, otherwise a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && /^[A-Za-z0-9._:-]{8,128}$/.test(given) ? given : crypto.randomUUID();
}
