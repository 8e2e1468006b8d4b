// A chunk of its own, see build/first-chunks.ts: initializes React in its own task, before the app's.
import 'react-dom/client'
