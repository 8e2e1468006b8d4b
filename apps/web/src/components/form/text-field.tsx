import '@mantine/core/styles/Input.css'
import {
  NativeSelect,
  type NativeSelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import form from './form.module.css'

const LOOK = {
  size: 'md',
  withAsterisk: false,
  classNames: { input: form.input, label: form.label, description: 'dim' },
} as const

export function TextField(props: TextInputProps) {
  return <TextInput {...LOOK} {...props} />
}

export function LongTextField(props: TextareaProps) {
  return <Textarea {...LOOK} {...props} />
}

export function SelectField(props: NativeSelectProps) {
  return <NativeSelect {...LOOK} {...props} />
}
