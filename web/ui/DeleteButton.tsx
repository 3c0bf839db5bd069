import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { confirm } from './confirm.tsx';
import { leaveUnasked } from './leaveGuard.ts';

interface DeleteButtonProps {
  /** The title of the question: "Delete Data Source". */
  title: string;
  content: ReactNode;
  remove: () => Promise<unknown>;
  /** The page to go to afterwards. */
  next: string;
}

/** Deletes the object of a page after a question, and leaves the page. */
export function DeleteButton({ title, content, remove, next }: DeleteButtonProps) {
  const navigate = useNavigate();

  const ask = async () => {
    const isDeleted = await confirm({ title, content, okText: 'Delete', danger: true, onOk: remove });
    if (!isDeleted) return;
    leaveUnasked();
    navigate(next);
  };

  return (
    <Button danger onClick={ask}>
      Delete
    </Button>
  );
}
