/**
 * What few requests need, and a start does not load: the compiler with all that writing skills takes, what opens and
 * seals the secrets of tenants, and what writes prompts. It is one module: each further one would part what they share
 * with the rest into more files for a start.
 */
export { Sealer } from "../access/secrets/sealing.ts";
export { TenantSecrets } from "../access/secrets/tenant-secrets.ts";
export * from "../http/authoring/index.ts";
export * from "../reading/prompt/prompt.ts";
