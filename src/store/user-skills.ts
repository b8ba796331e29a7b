import type { Result } from "../errors.ts";
import type { SearchableEntry } from "../ir.ts";
import type { UserSkillOptions } from "./tenant/options.ts";
import type { OwnSkill } from "./tenant/own-skill.ts";
import { type Decide, TenantSkills, type Written } from "./tenant/tenant-skills.ts";

/**
 * The skills that tenants put in KV. A skill's own key is the truth, the index is derived from it. Reads are
 * served from what this isolate read within the freshness window. What it wrote itself is seen at once, and
 * stands for as long as KV may still show the state before; a later write of the same skill at another place
 * is seen after that.
 */
export class UserSkillStore {
  readonly #options: UserSkillOptions;
  readonly #tenants = new Map<string, TenantSkills>();

  constructor(options: UserSkillOptions) {
    this.#options = options;
  }

  /** As `TenantSkills.index`. */
  index(tenant: string): Promise<Result<readonly SearchableEntry[]>> {
    return this.#of(tenant).index();
  }

  /** As `TenantSkills.skill`. */
  skill(tenant: string, name: string): Promise<Result<OwnSkill | null>> {
    return this.#of(tenant).skill(name);
  }

  /** As `TenantSkills.skills`. */
  skills(tenant: string, names: readonly string[]): Promise<Result<ReadonlyMap<string, OwnSkill | null>>> {
    return this.#of(tenant).skills(names);
  }

  /** As `TenantSkills.content`. */
  content(tenant: string, name: string, digest: string): Promise<Result<Uint8Array | null>> {
    return this.#of(tenant).content(name, digest);
  }

  /** As `TenantSkills.change`. */
  change<Said>(
    tenant: string,
    name: string,
    author: string,
    decide: Decide<Said>,
  ): Promise<Result<Written<Said>>> {
    return this.#of(tenant).change(name, author, decide);
  }

  #of(tenant: string): TenantSkills {
    let skills = this.#tenants.get(tenant);
    if (skills === undefined) {
      skills = new TenantSkills(this.#options, tenant);
      this.#tenants.set(tenant, skills);
    }
    return skills;
  }
}
