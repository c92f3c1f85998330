"""Guide: the pages of the documentation that help while one works."""

import streamlit as st

from pages._ui.text.documents import READ_HERE, parts_of

st.title("Guide", anchor=False)
name = st.segmented_control(
    "Page of the guide",
    list(READ_HERE),
    default=next(iter(READ_HERE)),
    format_func=READ_HERE.__getitem__,
    key="guide page",
    required=True,
    label_visibility="collapsed",
)
for part in parts_of(name):
    if isinstance(part, str):
        st.markdown(part)
    else:
        picture, alt = part
        st.image(picture, caption=alt, width="stretch")
