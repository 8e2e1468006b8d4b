/** An index to find the newest log row about a subject, because that row says what operators have set. */
export const statements = [
  `
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`,
]
