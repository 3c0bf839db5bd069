import SearchOutlined from '@ant-design/icons/SearchOutlined';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

/** Screens 1.4: shown when a search or filter finds nothing. */
export function NoMatch({ children = "Sorry, we couldn't find anything.", action }: { children?: ReactNode; action?: ReactNode }) {
  return (
    <EmptyState icon={<SearchOutlined />} action={action}>
      {children}
    </EmptyState>
  );
}
