import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const NewUser = lazy(() => import('./NewUser.tsx'));
const address = '/users/new';

/** The button and the address /users/new open the dialog, which leaves that address when it closes. */
export function NewUserButton() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(pathname === address);

  const close = (isCreated: boolean) => {
    setOpen(false);
    // The new user shows up among the invitations.
    if (isCreated) navigate('/users/pending');
    else if (pathname === address) navigate('/users', { replace: true });
  };

  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        New User
      </Button>
      {isOpen && (
        <Suspense>
          <NewUser onClose={close} />
        </Suspense>
      )}
    </>
  );
}
