"""The tasks behind the commands, apart from evaluation itself.

======================= ===============================================================
`compare`               differences between runs: tests, intervals, effect sizes
`gate`                  decide whether a candidate is worse than a baseline
`comparable_runs`       refuse runs that were not evaluated in the same way
`explain`               the value of one topic, rank by rank
`diff`                  the topics and documents in which two runs differ
`describe`              the catalogue of measures
`convert`               write a file in another format
`fuse`                  make one run of several
`pool`                  choose the documents to judge
`check`                 find what is wrong or unusual in files
======================= ===============================================================
"""
