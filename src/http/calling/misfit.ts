/** What is said to who sent a message as another format than it is of, or another part of a conversation. */
import type { KnownFormat, Misfit } from "../../dialect/calls/index.ts";
import type { ArgumentFault } from "../../errors.ts";
import { atPointer, type JsonValue } from "../../json.ts";
import { quoteValue } from "../../schema/index.ts";
import type { CallFormatName } from "../../vocabulary.ts";

/** Whole sentences: what the message looks like, and what to send or to ask for instead. */
export function adviceFor(misfit: Misfit): string {
  switch (misfit.is) {
    case "other format":
      return otherFormat(misfit.path, misfit.formats);
    case "response":
      return misfit.format === null
        ? `It looks like a whole response: send its ${misfit.part} alone.`
        : `It looks like a whole response of the format ${misfit.format}: send its ${misfit.part} alone, with format=${misfit.format}.`;
    case "call alone":
      return "It looks like one call: send it in a list, or the message that it stands in.";
    case "conversation":
      return "It looks like a list of messages: send the model's last one alone.";
    case "text in JSON":
      return "Its text holds calls of the format text: send that text itself, not as JSON, with format=text.";
  }
}

function otherFormat(path: string, formats: readonly KnownFormat[]): string {
  if (formats.includes("mcp"))
    return "It looks like a call of the Model Context Protocol: send its arguments to POST /v1/invoke/NAME?format=mcp.";
  const what = path === "" ? "It" : `Its ${path}`;
  const asked = formats.map((format) => `format=${format}`).join(" or ");
  return `${what} looks like one of the format ${formats.join(" or ")}: send it with ${asked}.`;
}

/** The same as a detail of the failure. */
export function faultOf({ path }: Misfit, format: CallFormatName, message: JsonValue): ArgumentFault {
  const expected = `an assistant's message of the format ${format}, or the list of its calls`;
  const value = atPointer(message, path) ?? message;
  return { path, rule: "format", expected, got: quoteValue(value) };
}
