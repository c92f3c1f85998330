"""Learn: lessons that compute, their contents and the glossary."""

from pages._ui.parts.lesson import screen

screen.draw()
