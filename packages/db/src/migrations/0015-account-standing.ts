/** What an operator allows a player to do. The column's default is constant, so the table is not rewritten. */
export const statements = [
  `alter table users
        add column standing text not null default 'active' check (standing in ('active', 'suspended', 'frozen')),
        add column standing_reason text`,
]
