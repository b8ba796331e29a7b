import { type Command, Option } from "commander";
import { type ColorChoice, colorChoices } from "../terminal/paint.ts";
import { type CheckOptions, check, type Surroundings } from "./check.ts";

const MORE = `
DIR is searched for files named SKILL.md, in any letter case; it may also be one such file.

--fix makes the changes that plainly mean one thing (it quotes what is not YAML as it stands, takes out invisible
characters, corrects a field's misspelt name …), shows them as a diff and reports what is left.

--dialects also says what the providers' formats (openai, openai-responses, anthropic, gemini, mcp) cannot express of each
function: where that stands (or the function), the path in its parameters, the keyword, and whether it was described in words,
widened, dropped or renamed. These are warnings too. Arguments are checked against the whole schema in any case.

--json prints an object: "files" and "compiled" (how many documents were read, and how many compile), "errors",
"warnings", "codes" (for each code its "severity", "count" and "fixable"), "diagnostics" ("code", "severity", "file",
"line", "column", "endColumn", "message", "fix", "edits", "excerpt"; lines and columns count from 1, an edit replaces the
UTF-16 units from "start" to "end" of the file's text by "text") and "changes" (for each file that was fixed its "diff",
whether it was "written", and if not, the "refusal"), and "losses" (with --dialects: for each its "dialect", "file",
"line", "column", "function", "path", "keyword", "outcome" and "note").

What a document compiled to is kept in the folder node_modules/.cache/skillgate of Skillgate itself, or in that which
SKILLGATE_CACHE_DIR names, and used again as long as the document, the files beside it and the compiler are the same
byte for byte. Where that folder cannot be written, every document is compiled.

Examples:
  skillgate check
  skillgate check ../my-skills --strict
  skillgate check ../my-skills --fix --dry-run
  skillgate check my-skill/SKILL.md --json > report.json

Exit status: 0 where there are no errors (with --strict: nor warnings), 1 where there are, 2 for a wrong option or
nothing to check. All but --json goes to standard error.
`;

/** Options as the parser gives them: what is not written is not there, and `--no-color` is false. */
interface ParsedOptions extends Partial<Omit<CheckOptions, "color">> {
  color: ColorChoice | false;
}

/** Adds `check` to a program. */
export function addCheckCommand(
  program: Command,
  surroundings: Surroundings,
  onEnd: (status: number) => void,
): void {
  program
    .command("check")
    .summary("say what is wrong with skill documents, and fix what can be fixed")
    .description("Says what is wrong with skill documents, where, and what to write instead.")
    .argument("[DIR]", "the folder of the skills", "skills")
    .option("--json", "print the report as JSON on standard output")
    .option("--fix", "fix what a machine can fix, and show how")
    .option("--dry-run", "with --fix: show what would be fixed and write nothing")
    .option("--strict", "count warnings as errors in the exit status")
    .option("--quiet", "print nothing but errors")
    .option("--dialects", "say what the providers' formats cannot express, and compile every document for it")
    .option(
      "--no-cache",
      "compile every document, also those that have not changed since they were last checked",
    )
    .addOption(new Option("--color <when>", "colour the output").choices(colorChoices).default("auto"))
    .option("--no-color", "the same as --color never")
    .addHelpText("after", MORE)
    .action(async (target: string, parsed: ParsedOptions, command: Command) => {
      const options = completed(parsed);
      if (options.dryRun && !options.fix) command.error("error: option '--dry-run' goes with '--fix'");
      onEnd(await check(target, options, surroundings));
    });
}

function completed({ color, ...flags }: ParsedOptions): CheckOptions {
  const off = {
    json: false,
    fix: false,
    dryRun: false,
    strict: false,
    quiet: false,
    dialects: false,
    cache: true,
  };
  return { ...off, ...flags, color: color === false ? "never" : color };
}
