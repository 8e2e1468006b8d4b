/** Stores the id of the moderation log's newest row, so that the audit notices if rows at the log's end are missing. */
export const statements = [
  `create table moderation_head (
    is_only boolean primary key default true check (is_only),
    log_id integer not null,
    hash bytea not null
  )`,
  `insert into moderation_head (log_id, hash) select id, hash from moderation_log order by id desc limit 1`,
]
