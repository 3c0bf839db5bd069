declare module 'virtual:theme.css';
declare module '@fontsource-variable/inter';
declare module '@fontsource-variable/jetbrains-mono';
