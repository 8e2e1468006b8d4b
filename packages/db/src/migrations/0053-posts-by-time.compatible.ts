import { type Kysely, sql } from 'kysely'

/**
 * Indexes for a topic's and an author's posts by time, so that queries for a day or an hour read no other posts.
 * PostgreSQL knows how common a topic is but not when its posts were written, so without these indexes it might read
 * all posts by id.
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
