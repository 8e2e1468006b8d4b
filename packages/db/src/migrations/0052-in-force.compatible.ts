/** Adds an index that finds the newest log row about a subject. The newest row contains the current setting. */
export const statements = [
  `
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`,
]
