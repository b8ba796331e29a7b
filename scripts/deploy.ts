/** Deploys the worker; where no account is set, only shows what would be deployed. */
import { runAll } from "./commands.ts";

const HELP = `Usage: npm run deploy

Deploys to the Cloudflare account of CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID where the token has several);
the KV namespace is made at the first deploy. Without a token it builds and shows what would be deployed.
Arguments go to wrangler: npm run deploy -- --env staging
`;

const words = process.argv.slice(2);
if (words.includes("--help")) {
  process.stdout.write(HELP);
} else {
  const hasAccount =
    process.env.CLOUDFLARE_API_TOKEN !== undefined && process.env.CLOUDFLARE_API_TOKEN !== "";
  if (!hasAccount) {
    process.stderr.write(
      "CLOUDFLARE_API_TOKEN is not set, so this is a dry run: nothing leaves this machine.\n",
    );
  }
  const dry = hasAccount ? [] : ["--dry-run", "--outdir=dist/upload"];
  process.exitCode = await runAll([["wrangler", "deploy", ...dry, ...words]]);
}
