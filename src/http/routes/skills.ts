import { Hono } from "hono/tiny";
import type { FoundSkill } from "../../catalog/index.ts";
import { success } from "../../errors.ts";
import { DEFAULT_LOADED_CHARACTERS } from "../../limits.ts";
import { loadSkill, type ReadableSkill } from "../../reading/index.ts";
import type { Gateway } from "../gateway.ts";
import { SkillSearches } from "../listing/searches.ts";
import { skillPage } from "../listing/skill-page.ts";
import { MadeReplies } from "../made-replies.ts";
import { skillTag } from "../own/entity-tag.ts";
import { JSON_TYPE, replyFailure, replyJson, replyTagged, TEXT_TYPE } from "../replies.ts";
import { skillParameter, skillQuery, skillsQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `GET /v1/skills` and `GET /v1/skills/:name`. */
export function skillRoutes(gateway: Gateway): Hono {
  const searches = new SkillSearches(gateway);
  const pages = new MadeReplies();
  return new Hono()
    .get("/v1/skills", validated("query", skillsQuery), async (context) => {
      const query = context.req.valid("query");
      const { catalog } = context.var;
      const page = await pages.give(catalog, query, async () => {
        const text = await skillPage(query, catalog, searches);
        return text.ok ? success({ text: text.value, isExact: true }) : text;
      });
      if (!page.ok) return replyFailure(context, page.failure);
      return replyTagged(context, page.value, query.format === "text" ? TEXT_TYPE : JSON_TYPE);
    })
    .get(
      "/v1/skills/:name",
      validated("param", skillParameter),
      validated("query", skillQuery),
      async (context) => {
        const { name } = context.req.valid("param");
        const { catalog } = context.var;
        const withProtocol = context.req.valid("query").protocol === "1";
        const found = await (withProtocol ? catalog.wholeSkill(name) : catalog.skill(name));
        if (!found.ok) return replyFailure(context, found.failure);
        const { section, offset, max_chars } = context.req.valid("query");
        const loaded = loadSkill(readable(found.value, withProtocol), {
          section: section ?? null,
          offset: offset === undefined ? null : Number(offset),
          maxCharacters: Number(max_chars ?? DEFAULT_LOADED_CHARACTERS),
        });
        if (!loaded.ok) return replyFailure(context, loaded.failure);
        const { record, own } = found.value;
        const tag = await skillTag({ digest: record.digest, files: own?.files ?? [] });
        return replyJson(context, loaded.value, 200, { ETag: tag });
      },
    );
}

/** The sections are those of the prose: the offsets of the whole source are others. */
function readable({ record, source, own, stale }: FoundSkill, isWhole: boolean): ReadableSkill {
  const { name, prose, outline } = record.skill;
  return {
    name,
    source,
    version: own?.version ?? null,
    stale,
    files: (own?.files ?? []).map(({ path, bytes }) => ({ path, bytes })),
    text: isWhole ? record.source : prose,
    sections: isWhole ? [] : outline,
  };
}
