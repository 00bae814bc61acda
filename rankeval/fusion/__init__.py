"""Arithmetic of fusion: normalisations, and methods that make one ranking of several.

=================== ==================================================================
`candidates`        the scores and ranks that several runs give to the documents
`names`             the names of methods and normalisations
`sums`              sums over runs, whatever their order
`normalise`         scores made comparable between runs
`registry`          the record of a method, and its parameters
`methods`           the table of methods
`scores`            methods that combine scores: CombSUM and its relatives
`ranks`             methods that combine ranks: RRF, ISR, RBC, Borda
`condorcet`         majorities between pairs of documents
`overlap`           rank-biased overlap of the runs
`pooling`           the order in which candidates are judged
`trained`           methods that learn from judgments how good each rank of a run is
=================== ==================================================================
"""
