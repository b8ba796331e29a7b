import { Validator } from "@cfworker/json-schema";
import { type SchemaValidator, schemaValidator } from "../../../src/schema/index.ts";
import type { ValidationTask } from "./task.ts";

/** Whether a value is right, by a validator that a schema has been given to. */
type Validates = (value: ValidationTask["value"]) => boolean;

const validators: Record<ValidationTask["validator"], (schema: ValidationTask["schema"]) => Validates> = {
  own: (schema) => {
    const validator: SchemaValidator = schemaValidator(schema);
    return (value) => validator.validate(value).length === 0;
  },
  cfworker: (schema) => {
    const validator = new Validator(schema, "2020-12", false);
    return (value) => validator.validate(value).valid;
  },
};

/** Does a task, and answers how often the value was right. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { validator, schema, value, checks, makes }: ValidationTask = await request.json();
    let right = 0;
    for (let made = 0; made < makes; made += 1) {
      const validates = validators[validator](structuredClone(schema));
      for (let check = 0; check < checks; check += 1) if (validates(value)) right += 1;
    }
    return Response.json(right);
  },
};
