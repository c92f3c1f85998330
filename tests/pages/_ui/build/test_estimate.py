"""What the Build page says before a build."""

from mips_core.studies import forecast


def test_a_long_build_is_told_and_what_does_not_fit_cannot_be_started(app, monkeypatch):
    at = app("build.py", method="flat-kmeans")
    button = next(one for one in at.button if one.label == "Build")
    assert not button.disabled
    assert not any("Building and measuring" in caption.value for caption in at.caption)
    monkeypatch.setattr(forecast, "LONG", 0.0)
    at.run()
    assert any("takes about 1 s and " in caption.value for caption in at.caption)
    monkeypatch.setattr(forecast, "budget", lambda: 1)
    at.run()
    assert next(one for one in at.button if one.label == "Build").disabled
    assert any("the limit is" in error.value for error in at.error)
