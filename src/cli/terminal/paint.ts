import { styleText } from "node:util";
import { type Paint, plainPaint } from "../../compile/index.ts";

/** When output is coloured: `auto` is on a terminal, unless NO_COLOR (no-color.org) or the terminal says no. */
export const colorChoices = ["auto", "always", "never"] as const;
/** One of these. */
export type ColorChoice = (typeof colorChoices)[number];

/** What is needed of an output stream to know whether it shows colours. */
export interface ColorStream {
  isTTY?: boolean;
  hasColors?(environment: NodeJS.ProcessEnv): boolean;
}

/** How diagnostics are coloured on a stream. */
export function paintFor(stream: ColorStream, choice: ColorChoice, environment: NodeJS.ProcessEnv): Paint {
  return isColoured(stream, choice, environment) ? colours : plainPaint;
}

function isColoured(stream: ColorStream, choice: ColorChoice, environment: NodeJS.ProcessEnv): boolean {
  if (choice !== "auto") return choice === "always";
  const { NO_COLOR = "" } = environment;
  return NO_COLOR === "" && stream.isTTY === true && stream.hasColors?.(environment) === true;
}

/** Whether the stream takes colours was decided before, so `styleText` is not to ask again. */
const styled =
  (...format: ("bold" | "red" | "yellow" | "blue" | "green")[]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false });

const colours: Paint = {
  error: styled("red", "bold"),
  warning: styled("yellow", "bold"),
  place: styled("bold"),
  gutter: styled("blue"),
  fix: styled("green"),
};
