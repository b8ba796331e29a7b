const DESCRIPTION = "Times and heights of the tides at a harbour.";

/** A document that nothing is wrong with. */
export const RIGHT = `---\nname: tides\ndescription: ${DESCRIPTION}\n---\n\nAsk for the harbour.\n`;

/** A document with an error that only a person can fix. */
export const WRONG = `---\nname: moon\n---\n`;

/** A document with two warnings, both of which a machine can fix. */
export const FIXABLE = `---\nname: tides\ndescription: Tides: times and heights at a harbour\ncategory: analysys\n---\n`;
export const FIXED = `---\nname: tides\ndescription: "Tides: times and heights at a harbour"\ncategory: analysis\n---\n`;
