import CloseOutlined from '@ant-design/icons/CloseOutlined';
import SearchOutlined from '@ant-design/icons/SearchOutlined';
import { useEffect, useRef, useState } from 'react';
import styles from './SearchBox.module.css';
import { SentTerms } from './sentTerms.ts';

const pauseMs = 200;

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
  placeholder?: string;
  label?: string;
  autoFocus?: boolean;
}

/** Q9: searches 200 ms after the last keystroke. Enter does not wait, Escape clears the box. */
export function SearchBox({ value, onSearch, placeholder = 'Search...', label = 'Search', autoFocus = false }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [sent] = useState(() => new SentTerms(value));
  const input = useRef<HTMLInputElement>(null);

  // Back and forward change the term from outside; an echo of the typed term must not overwrite newer input.
  useEffect(() => {
    if (!sent.isEcho(value)) setText(value);
  }, [value, sent]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);

  const search = (term: string) => {
    clearTimeout(timer.current);
    if (term.trim() === sent.last) return;
    sent.send(term.trim());
    onSearch(term.trim());
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next), pauseMs);
  };
  const clear = () => {
    setText('');
    search('');
    input.current?.focus();
  };

  return (
    <search className={styles.box}>
      <SearchOutlined className={styles.icon ?? ''} aria-hidden />
      <input
        ref={input}
        className={styles.input}
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text);
          if (event.key === 'Escape' && text) {
            event.stopPropagation();
            clear();
          }
        }}
      />
      {text && (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={clear}>
          <CloseOutlined aria-hidden />
        </button>
      )}
    </search>
  );
}
