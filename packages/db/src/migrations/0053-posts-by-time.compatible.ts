import { type Kysely, sql } from 'kysely'

/**
 * Adds indexes for the posts of a topic and an author by time, so that queries for a day or an hour read no other
 * posts. Without these indexes, PostgreSQL might read all posts by id, because it does not know when a topic's posts
 * were written.
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
