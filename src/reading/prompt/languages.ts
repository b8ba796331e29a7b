/** The languages that a prompt can be written in. */
export const promptLanguages = ["en", "zh"] as const;
export type PromptLanguage = (typeof promptLanguages)[number];
