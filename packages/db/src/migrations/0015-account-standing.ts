/** Adds the status of an account. The status says what its player may do. The table is not rewritten. */
export const statements = [
  `alter table users
        add column standing text not null default 'active' check (standing in ('active', 'suspended', 'frozen')),
        add column standing_reason text`,
]
