/**
 * Gives each rug pull a position among the trades, from the same sequence, so that one number says how far a listener
 * has read the whole market. Earlier rug pulls keep null, because no cursor is older than this migration. The column is
 * added without a default, so PostgreSQL does not rewrite the table.
 */
export const statements = [
  'alter table rugs add column position bigint',
  `alter table rugs alter column position set default nextval('trades_id_seq')`,
  'create unique index rugs_position on rugs (position) where position is not null',
]
