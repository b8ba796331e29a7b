import { Hono } from "hono/tiny";
import { categoryOf, indexText, type ListedSkill } from "../../catalog/index.ts";
import { replyFailure, replyJson, replyText } from "../replies.ts";
import { skillParameter, skillQuery, skillsQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `GET /v1/skills` and `GET /v1/skills/:name`. */
export function skillRoutes(): Hono {
  return new Hono()
    .get("/v1/skills", validated("query", skillsQuery), async (context) => {
      const { format, category } = context.req.valid("query");
      const listed = await context.var.catalog.list();
      if (!listed.ok) return replyFailure(context, listed.failure);
      const skills = listed.value.filter((skill) => category === undefined || categoryOf(skill) === category);
      if (format === "text") return replyText(context, indexText(skills));
      const hash = await context.var.catalog.hash();
      if (!hash.ok) return replyFailure(context, hash.failure);
      return replyJson(context, { catalog: hash.value, skills: skills.map(lineOf) });
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
        const { record, source } = found.value;
        const content = withProtocol ? record.source : record.skill.prose;
        return replyJson(context, {
          status: "ok",
          mode: "document",
          name: record.skill.name,
          source,
          content,
          total_chars: [...content].length,
          offset: 0,
          next_offset: null,
          complete: true,
        });
      },
    );
}

function lineOf({ name, title, description, category, version, source, overrides, functions }: ListedSkill) {
  return {
    name,
    title,
    description,
    category,
    version,
    source,
    overrides,
    functions: functions.map((definition) => definition.name),
  };
}
