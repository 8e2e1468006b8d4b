/** A chapter of the guide for programmers, as plain JSON for the page. */
export interface Chapter {
  /** The file's name without `.md`. It is also the chapter's anchor. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'heading'; readonly id: string; readonly text: Inlines }
  | { readonly kind: 'paragraph'; readonly text: Inlines }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Inlines[] }
  | { readonly kind: 'table'; readonly head: readonly Inlines[]; readonly rows: readonly (readonly Inlines[])[] }
  /** Consecutive code blocks that show the same thing in several languages. */
  | { readonly kind: 'code'; readonly samples: readonly Sample[] }
  /** A place where the page inserts something interactive, written as `<!-- slot: NAME -->`. */
  | { readonly kind: 'slot'; readonly name: SlotName }

export const SLOTS = ['key', 'bot', 'webhooks', 'limits', 'console'] as const
export type SlotName = (typeof SLOTS)[number]

export type Inlines = readonly Inline[]

export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly text: Inlines }
  /** The link's target `to` is an anchor on the page (`#orders`) or an absolute URL. */
  | { readonly kind: 'link'; readonly to: string; readonly text: Inlines }

export interface Sample {
  readonly language: Language
  /** The code's pieces. A coloured piece is `[text, kind]`. */
  readonly pieces: readonly Piece[]
}

export type Language = 'bash' | 'typescript' | 'python' | 'html' | 'json'
export type Piece = string | readonly [text: string, kind: PieceKind]
export type PieceKind = 'keyword' | 'text' | 'number' | 'comment' | 'name' | 'property'
