export function DocsScreen() {
  return <h1>Docs</h1>
}
