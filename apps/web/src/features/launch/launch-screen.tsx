export function LaunchScreen() {
  return <h1>Launch</h1>
}
