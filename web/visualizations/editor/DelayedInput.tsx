import { Input } from 'antd';
import { useEffect, useRef, useState } from 'react';

const pauseMs = 200;

interface DelayedInputProps {
  id?: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  'aria-label'?: string;
  isCode?: boolean;
  isDisabled?: boolean;
  /** The number of lines; with several, Enter starts a new one. */
  lines?: number;
}

/** visualizations 3: text applies 200 ms after the last keystroke, or when the field loses the focus. */
export function DelayedInput({ value, onChange, isCode = false, isDisabled = false, lines = 1, ...props }: DelayedInputProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<string | null>(null);
  const apply = useRef(onChange);

  if (applied !== value) {
    setApplied(value);
    // An echo of the typed text must not overwrite newer input.
    if (pending.current === null) setText(value);
  }
  useEffect(() => {
    apply.current = onChange;
  });
  const flush = () => {
    clearTimeout(timer.current);
    if (pending.current === null) return;
    const next = pending.current;
    pending.current = null;
    apply.current(next);
  };
  const latestFlush = useRef(flush);
  useEffect(() => {
    latestFlush.current = flush;
  });
  useEffect(() => () => latestFlush.current(), []);

  const type = (next: string) => {
    setText(next);
    pending.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestFlush.current(), pauseMs);
  };
  const shared = {
    ...props,
    value: text,
    disabled: isDisabled,
    spellCheck: false,
    autoComplete: 'off',
    ...(isCode && { style: { fontFamily: 'var(--font-code)', fontSize: 13 } }),
    onChange: ({ target }: { target: { value: string } }) => type(target.value),
    onBlur: flush,
  };
  return lines > 1 ? <Input.TextArea {...shared} rows={lines} /> : <Input {...shared} onPressEnter={flush} />;
}
