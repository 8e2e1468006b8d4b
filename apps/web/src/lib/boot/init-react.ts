// Keep this file as a separate chunk (see build/first-chunks.ts). React is then initialized in its own task.
import 'react-dom/client'
