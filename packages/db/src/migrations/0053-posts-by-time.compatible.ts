import { type Kysely, sql } from 'kysely'

/**
 * A topic's and a writer's posts by time: what asks for those of a day or an hour reads no others, and PostgreSQL, which knows how
 * common a topic is but not when it was, cannot prefer a walk through all posts by id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const schema of ['public', 'fairs']) {
    const [topic, writer] = schema === 'public' ? ['topic', 'writer'] : ['topic_id_idx', 'user_id_id_idx']
    const posts = sql.table(`${schema}.posts`)
    await sql`drop index ${sql.table(`${schema}.posts_${topic}`)}, ${sql.table(`${schema}.posts_${writer}`)}`.execute(
      db,
    )
    await sql`create index posts_topic on ${posts} (topic, created_at, id) where parent_id is null`.execute(db)
    await sql`create index posts_writer on ${posts} (user_id, created_at)`.execute(db)
  }
}
