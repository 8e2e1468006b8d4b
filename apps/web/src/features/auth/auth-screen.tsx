export function AuthScreen() {
  return <h1>Auth</h1>
}
