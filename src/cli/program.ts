import { Command, CommanderError } from "commander";
import { VERSION } from "../version.ts";
import type { Surroundings } from "./check/check.ts";
import { addCheckCommand } from "./check/command.ts";
import { isSystemError } from "./system-error.ts";

const MORE = `
Examples:
  skillgate check ../my-skills
  skillgate help check
`;

/**
 * Runs the command line.
 * @param words the arguments, without the program's own name
 * @returns the exit status; 2 is for words that are not understood
 */
export async function runProgram(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let status = 0;
  const program = programFor(surroundings, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isSystemError(error)) throw error;
    surroundings.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function programFor(surroundings: Surroundings, onEnd: (status: number) => void): Command {
  const program = new Command("skillgate")
    .description("Turns skill documents into tools that any AI agent can call.")
    .version(VERSION, "-v, --version", "show the version")
    .helpOption("-h, --help", "show this")
    .helpCommand("help [command]", "show how a command is used")
    .addHelpText("after", MORE)
    .showHelpAfterError("Run it with --help to see how it is used.")
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    })
    .exitOverride();
  addCheckCommand(program, surroundings, onEnd);
  return program;
}
