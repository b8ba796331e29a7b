import type { Caller } from "../access/index.ts";
import type { Catalog } from "../catalog/index.ts";

/** What middleware has found out by the time a route runs. */
declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
    caller: Caller;
    /** The tenant that is administered. */
    tenant: string;
    catalog: Catalog;
  }
}
