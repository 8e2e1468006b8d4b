/** Adds an index that finds the newest log row about a subject. This row has the current setting. */
export const statements = [
  `
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`,
]
