import '../../api/zodSetup.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import 'virtual:theme.css';
import '../../theme/base.css';
import { createRoot } from 'react-dom/client';
import { ThemeProvider } from '../../theme/ThemeProvider.tsx';
import { CrosshairGroup } from '../chart/CrosshairGroup.tsx';
import { Gallery } from './Gallery.tsx';

/** For development: `npm run dev`, then /visualizations/gallery/index.html. The gallery is part of no build. */
const place = document.getElementById('root');
if (place && (import.meta.env.DEV || import.meta.env.MODE === 'gallery')) {
  createRoot(place).render(
    <ThemeProvider>
      <CrosshairGroup>
        <Gallery />
      </CrosshairGroup>
    </ThemeProvider>,
  );
}
