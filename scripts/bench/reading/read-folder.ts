/** A process of its own: reads the skills of the folder that it is told, and prints what that took (see `scale.ts`). */
import { readSkills } from "../../../src/cli/skills/read.ts";

const [folder = "."] = process.argv.slice(2);
const before = process.cpuUsage();
const { files, compiled } = await readSkills(folder);
const { user, system } = process.cpuUsage(before);
if (compiled.length < files.length) throw new Error("Not every generated document compiles.");
const peakKib = process.resourceUsage().maxRSS;
process.stdout.write(JSON.stringify({ documents: files.length, microseconds: user + system, peakKib }));
