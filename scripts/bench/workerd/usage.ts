import { readFile } from "node:fs/promises";

/** Linux counts processor time in hundredths of a second, whatever the machine (USER_HZ, proc_pid_stat(5)). */
const TICK_MS = 10;

/** Processor time of a process so far, in milliseconds; null where the system does not tell it as Linux does. */
export async function processorMs(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  return processorMsOf(await readFile(`/proc/${pid}/stat`, "utf8"));
}

/** The user and system time (fields 14 and 15) in the text of /proc/PID/stat, in milliseconds. */
export function processorMsOf(stat: string): number {
  // The second field is the program's name in brackets, which may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
