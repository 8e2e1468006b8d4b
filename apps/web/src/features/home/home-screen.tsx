/** The market: every token there is, searchable, sorted and live. */
export function HomeScreen() {
  return <h1>Trade like a millionaire</h1>
}
