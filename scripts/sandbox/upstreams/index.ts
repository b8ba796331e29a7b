import { tickdb } from "./tickdb.ts";
import type { Upstream } from "./upstream.ts";

export type { Upstream, UpstreamSetting } from "./upstream.ts";

/** Every service that the sandbox plays. A new one is a file beside this one and a line here. */
export const upstreams: readonly Upstream[] = [tickdb];
