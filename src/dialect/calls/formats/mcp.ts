/**
 * Calls of the Model Context Protocol, which are not read here: a client of it speaks to a server. A request
 * (`CallToolRequest` in @modelcontextprotocol/core 2.4.0) has its tool and `arguments` in `params`.
 */
import { isJsonObject, type JsonValue } from "../../../json.ts";
import type { Signs } from "../call.ts";

function isCall(item: JsonValue): boolean {
  if (!isJsonObject(item) || item.type !== undefined) return false;
  return item.method === "tools/call" || (typeof item.name === "string" && isJsonObject(item.arguments));
}

export const mcpSigns: Signs = {
  isCall,
  isItem: isCall,
  isMessage: () => false,
  list: null,
  inResponse: null,
};
