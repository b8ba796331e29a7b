import { createMemoryLimiter } from "../../src/limiter/index.ts";
import { describeLimiter } from "./limiter.contract.ts";

describeLimiter("a limiter in memory", (time) => createMemoryLimiter(time.now));
