type Word<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text

/** Splits texts into words, so that code can contain a long list as one text. */
export function words<Text extends string>(...texts: readonly Text[]): Word<Text>[] {
  return texts.flatMap((text) => text.split(' ')) as Word<Text>[]
}
