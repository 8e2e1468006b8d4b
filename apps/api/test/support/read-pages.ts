import type { Visitor } from './test-server.ts'

/** Returns all pages of a list, which it finds by the Link headers. */
export async function readPages<Item>(visitor: Visitor, first: string): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let url: string | undefined = first; url !== undefined; ) {
    const answer = await visitor.get(url)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    pages.push(answer.json())
    url = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
  }
  return pages
}
