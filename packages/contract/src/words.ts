type Word<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text

/** The words of some texts: a long list that is read like a sentence. */
export function words<Text extends string>(...texts: readonly Text[]): Word<Text>[] {
  return texts.flatMap((text) => text.split(' ')) as Word<Text>[]
}
