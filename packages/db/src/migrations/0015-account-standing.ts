/**
 * Adds the status of an account, which says what its player may do. PostgreSQL does not rewrite the table, because the
 * column's default is constant.
 */
export const statements = [
  `alter table users
        add column standing text not null default 'active' check (standing in ('active', 'suspended', 'frozen')),
        add column standing_reason text`,
]
