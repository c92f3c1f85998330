"""The page's own CSS: one short block. Everything else is in config.toml and in the elements."""

import streamlit as st

_CSS = """<style>
.stMainBlockContainer { max-width: 1320px; margin: 0 auto; padding: 4.1rem 2rem 3rem }
.stMainBlockContainer > .stVerticalBlock { gap: .75rem }
@media (min-width: 769px) {
  .stApp:not(:has([data-testid=stExpandSidebarButton])) .stMainBlockContainer { padding-top: 1rem }
  .stAppHeader, .stAppHeader > * { background: transparent !important }
  .stAppHeader, .stAppHeader * { pointer-events: none } .stAppHeader :is(button, a) { pointer-events: auto }
  section[data-testid=stSidebar][data-collapsed=false] { width: 216px !important; min-width: 216px !important }
  .st-key-context { padding-right: 3rem }
}
@media (min-width: 641px) { .st-key-compare-sentence { min-height: 6.2rem } }
.st-key-map-status { min-height: 2.5rem; margin: -.5rem 0 }
.st-key-map-picture { min-height: 620px }
.stElementContainer:has(.mx) { opacity: 1 !important }
@media (max-width: 640px) { .stMainBlockContainer { padding: 4.1rem 1rem 3rem } }
.st-key-context { flex-wrap: nowrap !important; overflow-x: auto; scrollbar-width: none; padding-bottom: .45rem;
  border-bottom: 1px solid rgba(128, 140, 155, .28) }
.st-key-context button { min-height: 2rem; padding: 0 .65rem; white-space: nowrap; font-variant-numeric: tabular-nums }
[data-testid=stStatusWidget] { display: none }
[data-testid=stFileUploaderDropzoneInstructions] { display: none }
h1 { letter-spacing: -.01em; padding: .35rem 0 .3rem !important }
[data-testid=stPageLink] a { padding-left: 0 !important }
[data-testid=stMetricValue] { font-variant-numeric: tabular-nums }
</style>"""  # noqa: E501


def draw() -> None:
    """Put the block on the page; it takes no space."""
    st.html(_CSS)
