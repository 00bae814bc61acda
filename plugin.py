import rankeval


@rankeval.measure("MyPlugin")
def none(topic):
    "Nothing."
    return 0.0
